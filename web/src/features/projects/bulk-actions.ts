/** Where the menu of actions for what is selected is. */
export const actionsId = 'bulk-actions'

/** Moves the focus from a row to the actions, which follow after all rows. */
export const focusActions = (): void => document.getElementById(actionsId)?.querySelector('button')?.focus()
