import { useEffect, useState } from 'react'
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
