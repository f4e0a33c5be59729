"""Who is around a person and how these know each other: neighbourhoods, compared exactly."""
