"""Run notebooks with papermill, keep their results whole, and build the website from them."""
