"""The numbers behind the pages: one module per chapter, of the same name."""
