"""One evaluation: its command, its folder, its answer."""
