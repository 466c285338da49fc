import { useNavigate, useSearch } from '@tanstack/react-router'

/** What a page keeps in its address beside its path: filters, the position in a list, an open dialog. */
export type Search = Readonly<Record<string, unknown>>

/** A value of the query is a text. Addresses of before have numbers and such in quotes (`"2022"`) where a text was meant. */
export const readWord = (text: string): string =>
  /^"(?:-?[\d.]+|true|false|null)"$/.test(text) ? text.slice(1, -1) : text

/** A word of the query, where it is one: any other value is ignored, for example from a mistyped address. */
export const word = <K extends string>(search: Search, key: K): { [P in K]?: string } => {
  const value = search[key]
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return (typeof text === 'string' && text !== '' ? { [key]: text } : {}) as { [P in K]?: string }
}
export const number = <K extends string>(search: Search, key: K): { [P in K]?: number } => {
  const value = Number(search[key])
  return (Number.isInteger(value) && value > 0 ? { [key]: value } : {}) as { [P in K]?: number }
}
/** The open dialog, and the item that it is about. */
export const dialogWords = (search: Search) => ({ ...word(search, 'dialog'), ...word(search, 'item') })
export const listWords = (search: Search) => ({
  ...word(search, 'q'),
  ...number(search, 'offset'),
  ...dialogWords(search),
})

const filled = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== '' && value !== 0))

/** Reads and changes what the address of this page says; what is set to nothing leaves it. */
export const useAddress = () => {
  const navigate = useNavigate()
  const search: Search = useSearch({ strict: false })
  const go = (changed: Search, replace = false, resetScroll = true): void =>
    void navigate({
      to: '.',
      replace,
      resetScroll,
      search: (before: Search) => filled({ ...before, ...changed }),
    } as Parameters<typeof navigate>[0])
  return {
    /** Another page of a list: a place of its own to go back to. */
    move: (offset: number): void => go({ offset }),
    /** Another filter: it begins at the first page and takes the place of the one before. */
    filter: (changed: Search): void => go({ ...changed, offset: undefined }, true),
    /** What is open on the page: it stays where it is scrolled to. */
    show: (changed: Search): void => go(changed, true, false),
    dialog: typeof search['dialog'] === 'string' ? search['dialog'] : null,
    item: typeof search['item'] === 'string' ? search['item'] : null,
    /** Opens a dialog: going back closes it. The page stays where it is scrolled to. */
    open: (dialog: string, item?: string): void => go({ dialog, item }, false, false),
    close: (): void => go({ dialog: undefined, item: undefined }, true, false),
  }
}
