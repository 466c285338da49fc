const hashOf = (text: string): number => {
  // FNV-1a, 32 bits: few letters that differ give another mark.
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}

const grounds = 8
const colours = 5
const figures = [
  'M4 4h5v7h7v5H4z',
  'M10 5a5 5 0 1 0 0 10a5 5 0 1 0 0-10z',
  'M10 3.5 16.5 10 10 16.5 3.5 10z',
  'M4 5h12v3H4zM4 11h8v3H4z',
  'M5 4h3.5v12H5zM11.5 4H15v7h-3.5z',
  'M0 0h10v10H0zM10 10h10v10H10z',
  'M0 20 20 0v20z',
  'M0 10h20v10H0z',
  'M0 0a14 14 0 0 1 14 14v6H0z',
] as const

/**
 * The mark of a project: one of 8 grounds, 5 colours and 9 figures, by a hash of its slug, so that it stays when the name changes.
 * It says nothing that the name beside it does not say.
 */
export const ProjectMark = ({ slug, large = false }: { slug: string; large?: boolean }) => {
  const hash = hashOf(slug)
  const ground = (hash % grounds) + 1
  const colour = (Math.floor(hash / grounds) % colours) + 1
  const figure = figures[Math.floor(hash / (grounds * colours)) % figures.length]
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      className={`shrink-0 rounded ${large ? 'size-8' : 'size-5'}`}
      style={{ background: `var(--mark-${ground})` }}
    >
      <path d={figure} style={{ fill: `var(--figure-${colour})` }} />
    </svg>
  )
}

/** The initials of a person, in a circle. */
export const Person = ({ name }: { name: string }) => {
  const words = name.split(/\s+/).filter((it) => it !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((it) => Array.from(it ?? '')[0] ?? '')
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-wash text-[10px] font-semibold text-soft"
    >
      {letters.join('').toUpperCase()}
    </span>
  )
}
