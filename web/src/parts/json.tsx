/** Longest JSON that is shown; a line says how much is hidden. Copies are complete. */
const longest = 20_000

export const writeJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'null'

/** A value as small JSON: it scrolls by itself where it is large, by keyboard too. */
export const SmallJson = ({ value, label, tone = '' }: { value: unknown; label: string; tone?: string }) => {
  const text = writeJson(value)
  const cut = text.length > longest
  return (
    <pre
      role="group"
      aria-label={label}
      tabIndex={0}
      className={`max-h-52 min-w-0 overflow-auto rounded-md border px-2.5 py-1.5 font-mono text-xs whitespace-pre-wrap wrap-anywhere ${tone || 'bg-raised'}`}
    >
      {cut ? `${text.slice(0, longest)}\n… ${(text.length - longest).toLocaleString()} characters more` : text}
    </pre>
  )
}
