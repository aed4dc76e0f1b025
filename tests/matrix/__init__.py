"""Every question under every limit, with every method: is the limit held?"""
