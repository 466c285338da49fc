import { useEffect, useMemo, useState } from 'react'
import { Markdown } from './markdown.tsx'
import { markdownPieces } from './markdown-pieces.ts'

/** A text in Markdown of any length: its beginning at once, the rest piece by piece, so that the page can be used meanwhile. */
export const LongMarkdown = ({ text }: { text: string }) => {
  const pieces = useMemo(() => markdownPieces(text), [text])
  const [{ of, shown }, setShown] = useState({ of: text, shown: 1 })
  const drawn = of === text ? shown : 1
  useEffect(() => {
    if (drawn >= pieces.length) return
    const timer = setTimeout(() => setShown({ of: text, shown: drawn + 1 }))
    return () => clearTimeout(timer)
  }, [text, drawn, pieces])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-busy={drawn < pieces.length}>
      {pieces.slice(0, drawn).map((piece, index) => (
        // What is far from the screen is laid out when it comes near.
        <div
          key={index}
          className={index === 0 ? '' : '[contain-intrinsic-size:auto_3000px] [content-visibility:auto]'}
        >
          <Markdown text={piece} />
        </div>
      ))}
    </div>
  )
}
