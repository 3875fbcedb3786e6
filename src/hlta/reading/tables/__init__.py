"""Tables and other files of many documents: delimited text, JSON, Parquet and Arrow."""
