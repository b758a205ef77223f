"""Worker processes for code that may crash, hang or exhaust memory."""
