/** Results that took long, kept in this browser for the person who is signed in. */
const prefix = 'svc kept '
const listeners: (() => void)[] = []

/** Calls what forgets its own copy, when everything that was kept is removed. */
export const onForget = (forget: () => void): void => void listeners.push(forget)

/** What was kept under a name; null where nothing is, or where the browser keeps nothing. */
export const kept = (name: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(prefix + name) ?? 'null')
  } catch {
    return null
  }
}

/** Keeps a value until it is replaced or someone signs in or out. A browser without room keeps it in no place but the page. */
export const keep = (name: string, value: unknown): void => {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // The page keeps what it has in memory.
  }
}

/** Removes everything that was kept. */
export const forgetKept = (): void => {
  for (const forget of listeners) forget()
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Nothing is kept where the browser has no storage.
  }
}
