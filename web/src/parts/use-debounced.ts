import { useEffect, useState } from 'react'

const defaultMs = 350

/** A value as it was when it last stayed the same for `ms` milliseconds. */
export const useDebounced = <T>(value: T, ms = defaultMs): T => {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}
