"""Who is who in two networks: what attacks with a second network share."""
