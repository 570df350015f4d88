"""The values of fields: types, coercion and the reasons for which a value is rejected."""
