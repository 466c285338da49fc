import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Rows that are printed: a browser that lays out more takes minutes. */
export const mostPrinted = 2000

/** Whether the page is being printed: what is drawn as one scrolls is then drawn as a whole. */
export const usePrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const [begin, end] = [() => flushSync(() => setPrinting(true)), () => setPrinting(false)]
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

/**
 * Reads what a list does not have yet when Ctrl+P or ⌘P is pressed, and prints then. A page cannot hold up the menu of the browser:
 * that prints what is there.
 */
export const usePrintWhole = (load: () => Promise<unknown>): void => {
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // What cannot be read is not printed; the page says why.
      void latest
        .current()
        .catch(() => {})
        .then(() => print())
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
