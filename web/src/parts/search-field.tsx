import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'

/** A search box that reports its value once typing pauses; it shows the value of the address. */
export const SearchField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), 200)
    return () => clearTimeout(timer)
    // Only what is typed starts the clock: `onChange` is a new function at every drawing.
  }, [text])
  return (
    <label className="relative block w-full max-w-md print:hidden">
      <span className="sr-only">{label}</span>
      <Search size={16} aria-hidden="true" className="absolute top-2.5 left-3 text-soft" />
      <input
        type="search"
        className="field pl-9"
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}
