import { useSyncExternalStore } from 'react'

/** A message in the corner of the window about what was just done. It goes away by itself. */
export interface Toast {
  readonly title: string
  readonly detail?: string
  /** What can be done about it, for as long as it is shown; says what became of it in a message of its own. */
  readonly action?: { readonly name: string; readonly run: () => Promise<Toast> }
  readonly isError?: boolean
}

let waiting: readonly Toast[] = []
let shown = false
const listeners = new Set<() => void>()

const changed = (): void => {
  for (const listener of listeners) listener()
}

/** Shows a message; it stays while the page changes. */
export const say = (toast: Toast): void => {
  waiting = [...waiting, toast]
  shown = true
  changed()
}

/** Hands over what was said since the last time. */
export const takeSaid = (): readonly Toast[] => {
  const said = waiting
  waiting = []
  return said
}

export const onSaid = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether anything was ever said: only then is the code that shows it fetched. */
export const useHasSaid = (): boolean => useSyncExternalStore(onSaid, () => shown)
