"""What other programs are asked, as their users would."""
