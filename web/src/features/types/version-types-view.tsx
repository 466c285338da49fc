import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PrimitiveSuggestion } from '../../../../src/api/primitive-impact-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Window } from '../../parts/dialog.tsx'
import { writeJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import type { VersionRef } from '../catalog/versions.ts'
import { suggestionsQuery } from './queries.ts'
import { RepinForm } from './repin-form.tsx'

const relations: Readonly<Record<PrimitiveSuggestion['relation'], { name: string; tone: Tone; words: string }>> = {
  equal: { name: 'equal', tone: 'ok', words: 'It allows the same values.' },
  narrower: { name: 'narrower', tone: 'info', words: 'The type allows all of its values, and more.' },
  wider: { name: 'wider', tone: 'warn', words: 'The type allows some of its values only.' },
}

const Suggestion = ({ tenant, suggestion }: { tenant: string; suggestion: PrimitiveSuggestion }) => {
  const { name, tone, words } = relations[suggestion.relation]
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="min-w-0 flex-1 basis-60 font-mono text-sm break-all">{suggestion.pointer}</code>
        <Badge tone={tone}>{name}</Badge>
        <Link
          to="/t/$tenant/-/types/$type"
          params={{ tenant, type: suggestion.primitive.id }}
          className="link font-mono text-sm break-all"
        >
          {suggestion.primitive.ref}
        </Link>
      </div>
      <p className="text-sm text-soft">
        {words}
        {suggestion.changes_values ? ' The version would allow other values than now.' : ''}{' '}
        {suggestion.primitive.description}
      </p>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer text-soft">
          What to change<span className="sr-only"> at {suggestion.pointer}</span>
        </summary>
        <div className="mt-1.5 flex items-start gap-2">
          <pre
            role="group"
            aria-label={`Change of ${suggestion.pointer}`}
            tabIndex={0}
            className="max-h-72 min-w-0 grow overflow-auto rounded-md bg-raised px-2.5 py-1.5 font-mono text-xs"
          >
            {suggestion.diff}
          </pre>
          <CopyButton text={writeJson(suggestion.patch)} what={`the JSON Patch for ${suggestion.pointer}`} />
        </div>
      </details>
    </li>
  )
}

/** The types that schemas of a version could refer to instead of repeating them, and newer revisions of those that it uses. */
export const VersionTypesView = ({ at }: { at: VersionRef }) => {
  const found = useQuery(suggestionsQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const may = holds(identity.data, at.tenant, 'versions:edit')
  return (
    <>
      <Section
        title="Suggestions"
        description="Schemas of this version that a registered type could take the place of."
        actions={may ? <Button onClick={() => open('repin')}>Move to the newest types …</Button> : null}
      >
        <CommandHint command={svcCommand(at.tenant, ['type', 'suggest', at.project, at.version])} />
        <Read query={found} what="the suggestions">
          {({ suggestions, considered, truncated }) =>
            suggestions.length === 0 ? (
              <Empty title="No suggestions">
                <p>
                  {count(considered.schemas, 'schema was', 'schemas were')} compared with{' '}
                  {count(considered.types, 'type', 'types')}: none describes the same values.
                </p>
                <Link to="/t/$tenant/-/types" params={{ tenant: at.tenant }} className="link">
                  Open the registry
                </Link>
              </Empty>
            ) : (
              <>
                <ul className="card divide-y" aria-label="Suggestions">
                  {suggestions.map((it) => (
                    <Suggestion key={`${it.pointer} ${it.primitive.ref}`} tenant={at.tenant} suggestion={it} />
                  ))}
                </ul>
                {truncated ? <p className="text-sm text-soft">There are more; these are the first.</p> : null}
              </>
            )
          }
        </Read>
      </Section>
      <Window open={dialog === 'repin' && may} onClose={close} title="Move to the newest types">
        <RepinForm at={at} type={null} onClose={close} />
      </Window>
    </>
  )
}
