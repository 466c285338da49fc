import { Window } from '../parts/dialog.tsx'

const keys: readonly (readonly [where: string, rows: readonly (readonly [keys: readonly string[], what: string])[]])[] =
  [
    [
      'Everywhere',
      [
        [['Ctrl', 'K'], 'find a thing or do something (⌘ K on a Mac)'],
        [['?'], 'show these keys'],
        [['Esc'], 'close a dialog, a menu or a panel'],
      ],
    ],
    [
      'In the palette',
      [
        [['>'], 'only actions'],
        [['/'], 'only operations'],
        [['@'], 'only people'],
        [['↑', '↓', 'Enter'], 'choose'],
      ],
    ],
    [
      'Inbox',
      [
        [['j', 'k'], 'next, previous entry'],
        [['Enter'], 'open it'],
        [['e'], 'done'],
      ],
    ],
    [
      'Changes',
      [
        [['j', 'k'], 'next, previous change'],
        [['Ctrl', 'S'], 'save what you edit'],
      ],
    ],
    [
      'Review',
      [
        [['j', 'k'], 'next, previous change'],
        [['v'], 'tick the change as viewed'],
        [['c'], 'comment on the change'],
        [['e'], 'go to its lines, where Enter shows more'],
        [['↑', '↓', 'Enter'], 'choose a line, comment on it'],
      ],
    ],
  ]

/** What can be done by keyboard. */
export const KeysWindow = ({ onClose }: { onClose: () => void }) => (
  <Window open onClose={onClose} title="Keys">
    {keys.map(([where, rows]) => (
      <section key={where} aria-label={where} className="grid gap-1.5">
        <h3 className="text-xs font-medium text-faint">{where}</h3>
        <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
          {rows.map(([pressed, what]) => (
            <div key={what} className="contents">
              <dt className="flex gap-1">
                {pressed.map((key) => (
                  <kbd key={key} className="rounded border border-bound bg-surface px-1.5 font-sans text-xs leading-5">
                    {key}
                  </kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Window>
)
