"""Everything that changes what people are told."""
