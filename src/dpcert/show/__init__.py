"""Results for people and tools: lines, pages, notebooks, and the reports of other tools."""
