import { useMemo, useState } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { TextField } from '../../parts/form.tsx'
import { readObject } from '../../parts/json-object.ts'
import { Section } from '../../parts/page.tsx'
import type { Rules } from './rules.ts'
import { sampleOf, tryRules } from './try-rules.ts'

type Properties = ReadonlyMap<string, string>

/** One object of the older schema, and what the rules make of it. */
export const TryRules = ({ rules, before, after }: { rules: Rules; before: Properties; after: Properties }) => {
  const [text, setText] = useState(() => JSON.stringify(sampleOf(before), null, 2))
  const given = useMemo(() => readObject(text), [text])
  const tried = typeof given === 'string' ? null : tryRules(given, rules, before, after)
  return (
    <Section
      title="Try the rules"
      description="On an object of the older schema, as the rules are now. Nothing is sent or stored; how a text is split or converted is an example."
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <TextField
          label="Before"
          rows={Math.min(16, text.split('\n').length + 1)}
          spellCheck={false}
          className="font-mono text-xs"
          value={text}
          error={typeof given === 'string' ? given : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        {tried === null ? null : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <p className="text-sm font-medium">After</p>
            <output
              aria-label="After"
              className="card overflow-auto p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
            >
              {JSON.stringify(tried.result, null, 2)}
            </output>
            <ul className="mt-2 grid gap-1 text-sm" aria-label="What happens">
              {tried.notes.map((note) => (
                <li key={`${note.property} ${note.text}`} className="flex flex-wrap items-baseline gap-x-2">
                  {note.lost ? <Badge tone="warn">lost</Badge> : null}
                  <code className="font-mono text-xs">{note.property}</code>
                  <span className="min-w-0 wrap-anywhere">{note.text}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Section>
  )
}
