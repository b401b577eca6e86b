"""Tables of other tools: Optuna, Dakota, spreadsheets, copies with ranks only."""
