import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { gatewayCoverageApi, type SecurityCoverage } from '../../../../../src/api/gateway-events.ts'
import { call } from '../../../call.ts'
import { useAddress } from '../../../parts/address.ts'
import { Button } from '../../../parts/button.tsx'
import { Choices } from '../../../parts/choices.tsx'
import { CommandHint } from '../../../parts/commands.tsx'
import { svcCommand } from '../../../parts/copy.tsx'
import { count } from '../../../parts/text.ts'
import { Window } from '../../../parts/dialog.tsx'
import { Field, Form, SelectField } from '../../../parts/form.tsx'
import { Read } from '../../../parts/listing.tsx'
import { Moment, Section, Toolbar } from '../../../parts/page.tsx'
import { Empty } from '../../../parts/states.tsx'
import { holds, identityQuery } from '../../../session.ts'
import { coverageQuery } from '../events/queries.ts'
import { type EnvironmentAt, environmentInput } from '../queries.ts'

type Undeclared = SecurityCoverage['undeclared'][number]

const keyOf = ({ method, path }: Pick<Undeclared, 'method' | 'path'>): string => `${method} ${path}`
const why = {
  path: 'no document has the path',
  method: 'the document has the path without this method',
  outside: 'outside of the prefix',
} as const
const canAdd = ({ kind, method }: Undeclared): boolean => kind !== 'outside' && method !== 'OTHER'

const Calls = ({ of: seen }: { of: Pick<Undeclared, 'count' | 'firstAt' | 'lastAt'> }) => (
  <span className="text-sm text-soft">
    {count(seen.count, 'call', 'calls')}
    {seen.firstAt === null || seen.lastAt === null ? null : (
      <>
        , first <Moment at={seen.firstAt} />, last <Moment at={seen.lastAt} />
      </>
    )}
  </span>
)

/** Creating a draft of the document that has what was called. */
const DraftForm = ({
  at,
  coverage,
  operations,
  onClose,
}: {
  at: EnvironmentAt
  coverage: SecurityCoverage
  operations: readonly Undeclared[]
  onClose: () => void
}) => {
  const [project, setProject] = useState(coverage.documents[0]?.project ?? '')
  const [label, setLabel] = useState('')
  const work = useMutation({
    mutationFn: () =>
      call(gatewayCoverageApi.draftCoverage, {
        ...environmentInput(at),
        body: {
          operations: operations.map(({ method, path }) => ({ method, path })),
          days: coverage.days,
          project,
          ...(label.trim() === '' ? {} : { label: label.trim() }),
        },
      }),
  })
  if (work.data !== undefined) {
    const { version, added } = work.data
    return (
      <div role="status" className="grid gap-3">
        <p>
          Draft {version.label} has {count(added.length, 'more operation', 'more operations')}:
        </p>
        <ul className="grid gap-0.5 font-mono text-sm">
          {added.map((it) => (
            <li key={it} className="wrap-anywhere">
              {it}
            </li>
          ))}
        </ul>
        <Link
          className="link w-fit py-1"
          to="/t/$tenant/$project/$version/edit"
          params={{ tenant: at.tenant, project: version.project_slug, version: version.slug }}
        >
          Open the draft
        </Link>
      </div>
    )
  }
  return (
    <Form
      change={{ mutate: () => work.mutate(), isPending: work.isPending, error: work.error }}
      submit="Create the draft"
      onCancel={onClose}
    >
      <p>
        The draft is the document with {count(operations.length, 'operation', 'operations')} more. Each says where it
        was seen, and that its parameters, body and answers are not described yet.
      </p>
      <ul className="grid gap-0.5 font-mono text-sm">
        {operations.slice(0, 20).map((it) => (
          <li key={keyOf(it)} className="wrap-anywhere">
            {keyOf(it)}
          </li>
        ))}
        {operations.length > 20 ? <li>and {operations.length - 20} more</li> : null}
      </ul>
      {coverage.documents.length < 2 ? null : (
        <SelectField
          label="Document"
          value={project}
          options={coverage.documents.map((it) => ({ value: it.project, name: `${it.project} ${it.version}` }))}
          onChange={setProject}
        />
      )}
      <Field
        label="Label (optional)"
        hint="The next minor version where it is left out."
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
    </Form>
  )
}

const UndeclaredSection = ({ at, coverage, may }: { at: EnvironmentAt; coverage: SecurityCoverage; may: boolean }) => {
  const { dialog, open, close } = useAddress()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { undeclared, undeclaredTotal, otherCalls, documents } = coverage
  const addable = undeclared.filter(canAdd)
  const wanted = addable.filter((it) => chosen.has(keyOf(it)))
  const toggle = (key: string): void =>
    setChosen((before) => new Set(before.has(key) ? [...before].filter((it) => it !== key) : [...before, key]))
  return (
    <Section
      title="Called and not declared"
      description="What no document behind the gateway has. {id} is in place of what may be a value."
      actions={
        may && addable.length > 0 && documents.length > 0 ? (
          <Button look="primary" disabled={wanted.length === 0} onClick={() => open('add')}>
            Add to the document …
          </Button>
        ) : null
      }
    >
      {undeclared.length === 0 ? (
        <p className="card px-4 py-3">Everything that was called is declared.</p>
      ) : (
        <ul className="card divide-y" aria-label="Called and not declared">
          {undeclared.map((entry) => {
            const key = keyOf(entry)
            const line = (
              <span className="grid min-w-0 gap-0.5">
                <span className="font-mono text-sm wrap-anywhere">{key}</span>
                <span className="text-sm text-soft">{why[entry.kind]}</span>
                <Calls of={entry} />
              </span>
            )
            return (
              <li key={key} className="px-4 py-2.5">
                {may && canAdd(entry) ? (
                  <label className="flex items-baseline gap-3">
                    <input type="checkbox" checked={chosen.has(key)} onChange={() => toggle(key)} />
                    {line}
                  </label>
                ) : (
                  line
                )}
              </li>
            )
          })}
        </ul>
      )}
      {undeclaredTotal > undeclared.length || otherCalls > 0 ? (
        <p className="text-sm text-soft">
          {undeclaredTotal > undeclared.length
            ? `${count(undeclaredTotal - undeclared.length, 'more is', 'more are')} not shown. `
            : ''}
          {otherCalls > 0 ? `${count(otherCalls, 'call', 'calls')} of further paths were counted together.` : ''}
        </p>
      ) : null}
      <Window open={dialog === 'add' && may && wanted.length > 0} onClose={close} title="Add to the document">
        <DraftForm at={at} coverage={coverage} operations={wanted} onClose={close} />
      </Window>
    </Section>
  )
}

const DeclaredSection = ({ coverage }: { coverage: SecurityCoverage }) => {
  const [isAll, setIsAll] = useState(false)
  const { operations, neverSeen, documents } = coverage
  const shown = operations.filter((it) => isAll || it.count === 0)
  return (
    <Section
      title="Declared operations"
      description={`${operations.length - neverSeen} of ${count(operations.length, 'operation', 'operations')} of ${documents.map(({ project, version }) => `${project} ${version}`).join(', ')} called.`}
      actions={
        <Choices
          label="Shown operations"
          value={isAll ? 'all' : 'never'}
          choices={[
            { value: 'never', name: 'Never called', count: neverSeen },
            { value: 'all', name: 'All', count: operations.length },
          ]}
          onChange={(value) => setIsAll(value === 'all')}
        />
      }
    >
      {shown.length === 0 ? (
        <p className="card px-4 py-3">Every operation was called.</p>
      ) : (
        <ul className="card max-h-[32rem] divide-y overflow-y-auto" aria-label="Declared operations" tabIndex={0}>
          {shown.map((entry) => (
            <li key={`${entry.project} ${keyOf(entry)}`} className="grid gap-0.5 px-4 py-2">
              <span className="font-mono text-sm wrap-anywhere">{keyOf(entry)}</span>
              {entry.count === 0 ? <span className="text-sm text-soft">never called</span> : <Calls of={entry} />}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const ranges = [7, 30, 90] as const

/** What clients call, compared with what is declared. */
export const CoverageView = ({ at, days }: { at: EnvironmentAt; days: number }) => {
  const coverage = useQuery(coverageQuery(at, days))
  const identity = useQuery(identityQuery)
  const { filter } = useAddress()
  const may = holds(identity.data, at.tenant, 'versions:edit')
  return (
    <>
      <Toolbar>
        <Choices
          label="Days"
          value={String(days)}
          choices={ranges.map((it) => ({ value: String(it), name: `${it} days` }))}
          onChange={(value) => filter({ days: value === null || value === '30' ? 0 : Number(value) })}
        />
        <CommandHint command={svcCommand(at.tenant, ['gateway', 'coverage', at.environment], { days: String(days) })} />
      </Toolbar>
      <Read query={coverage} what="the coverage">
        {(entry) =>
          entry.documents.length === 0 ? (
            <Empty title="No API description is bound to this gateway">
              <p>Bind the policy to a project on the overview, or give the environment projects.</p>
            </Empty>
          ) : (
            <>
              <UndeclaredSection at={at} coverage={entry} may={may} />
              <DeclaredSection coverage={entry} />
            </>
          )
        }
      </Read>
    </>
  )
}
