import type { ReactNode } from 'react'

/**
 * A list whose rows have columns: 36 px each, or as many lines as the parts of a row need on a phone. The first column says what it is,
 * the second its state, the last when.
 */
export const List = ({
  label,
  columns,
  heads = [],
  children,
}: {
  label?: string
  /** Widths, as `grid-template-columns` takes them. */
  columns: string
  /** The words above the columns. */
  heads?: readonly string[]
  children: ReactNode
}) => (
  <div className="card" style={{ ['--columns' as string]: columns }}>
    {heads.length === 0 ? null : (
      // What the columns hold is said in the rows themselves.
      <div aria-hidden="true" className="row border-b text-xs text-faint max-md:hidden">
        {heads.map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
    )}
    <ul className="divide-y" {...(label === undefined ? {} : { 'aria-label': label })}>
      {children}
    </ul>
  </div>
)

/** A row of a list; what is in it are its columns. */
export const Row = ({ children }: { children: ReactNode }) => (
  <li className="row relative hover:bg-raised">{children}</li>
)
