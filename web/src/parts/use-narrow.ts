import { useEffect, useState } from 'react'

/** Whether two sides have no room beside each other. */
export const useNarrow = (): boolean => {
  const [query] = useState(() => matchMedia('(width < 48rem)'))
  const [isNarrow, setNarrow] = useState(query.matches)
  useEffect(() => {
    const look = (): void => setNarrow(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [query])
  return isNarrow
}
