"""Pictures: one module per chapter, one style."""
