import { useSyncExternalStore } from 'react'

/** A message in the corner of the window about what was just done. It goes away by itself. */
export interface Toast {
  readonly title: string
  readonly detail?: string
  /** What can be done about it, for as long as it is shown; its result is a message of its own. */
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
export const showMessage = (toast: Toast): void => {
  waiting = [...waiting, toast]
  shown = true
  changed()
}

/** Returns the messages since the last call. */
export const takeMessages = (): readonly Toast[] => {
  const messages = waiting
  waiting = []
  return messages
}

/** Calls back after each message; returns what stops it. */
export const onMessage = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether there was ever a message: only then is the code that shows them fetched. */
export const useHasMessages = (): boolean => useSyncExternalStore(onMessage, () => shown)
