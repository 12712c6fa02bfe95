"""Tables that several methods need. Whatever two methods want lives here, for methods never import each other."""
