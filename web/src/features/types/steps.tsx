const names = ['Source', 'Review', 'Done'] as const

/** Where an import is: its source, the review of its types, what became of them. */
export const Steps = ({ at }: { at: 1 | 2 | 3 }) => (
  <ol aria-label="Steps" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
    {names.map((name, index) => (
      <li
        key={name}
        aria-current={index + 1 === at ? 'step' : undefined}
        className={`flex items-center gap-2 ${index + 1 === at ? 'font-semibold text-ink' : 'text-soft'}`}
      >
        <span
          className={`inline-flex size-6 items-center justify-center rounded-full text-xs ${index + 1 <= at ? 'bg-wash text-accent' : 'bg-raised'}`}
        >
          {index + 1}
        </span>
        {name}
        {index + 1 < names.length ? (
          <span aria-hidden="true" className="text-soft">
            →
          </span>
        ) : null}
      </li>
    ))}
  </ol>
)
