"""What goes again: evaluation now; rebuilds of the index belong here."""
