"""Opening workbooks and finding the tables in them."""
