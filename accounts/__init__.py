"""Who may come in: accounts, passwords, logins, throttling. Knows no page and no conversation."""
