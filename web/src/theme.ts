import { useSyncExternalStore } from 'react'

/** "system" follows the operating system. Kept per browser. */
export type Theme = 'light' | 'dark' | 'system'
const key = 'svc-theme'
const listeners = new Set<() => void>()

const read = (): Theme => {
  // Storage may be forbidden; the page works without it.
  try {
    const kept = localStorage.getItem(key)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

export const themes: readonly { readonly value: Theme; readonly name: string }[] = [
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
  { value: 'system', name: 'System' },
]

let current = read()

const apply = (): void => {
  if (current === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = current
}

export const setTheme = (theme: Theme): void => {
  current = theme
  try {
    localStorage.setItem(key, theme)
  } catch {
    // It holds until the page is left, then.
  }
  apply()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The theme that was chosen. */
export const presentTheme = (): Theme => current

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => current)

apply()
