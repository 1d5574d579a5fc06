"""Runs generated kernels in several ways and tells where they differ. Start with campaign.py."""
