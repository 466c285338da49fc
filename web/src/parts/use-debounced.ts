import { useEffect, useState } from 'react'

const defaultMs = 350

/**
 * The value, once it has stayed the same for `ms` milliseconds.
 * @param first what is answered until then; the present value where it is left out
 */
export const useDebounced = <T>(value: T, ms = defaultMs, first = value): T => {
  const [debounced, setDebounced] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}
