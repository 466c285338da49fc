import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { Operator } from '../../../../../src/gateway-policy/door.ts'
import { Button } from '../../../parts/button.tsx'
import {
  builderFields,
  builderOperators,
  isList,
  isNamed,
  newCondition,
  newGroup,
  withField,
  type ConditionRow,
  type GroupRow,
  type BuilderRow,
} from './builder.ts'

const fieldNames: Readonly<Record<string, string>> = {
  'ip.src': 'client address',
  'http.method': 'method',
  'http.host': 'host',
  'http.path': 'path',
  'http.route': 'route',
  'http.body.size': 'body size (bytes)',
  'geo.country': 'country',
  'http.query': 'query parameter',
  'http.header': 'header',
  'http.cookie': 'cookie',
}
const operatorNames: Readonly<Record<Operator, string>> = {
  eq: 'equals',
  in: 'is one of',
  contains: 'contains',
  starts: 'starts with',
  ends: 'ends with',
  matches: 'matches the pattern',
  cidr: 'is in a network of',
  exists: 'is there',
  lt: 'is less than',
  gt: 'is more than',
}
const examples: Readonly<Record<string, string>> = {
  'ip.src': '203.0.113.0/24',
  'http.method': 'POST',
  'http.host': 'api.example.com',
  'http.path': '/admin',
  'http.route': '/pets/{petId}',
  'http.body.size': '1048576',
  'geo.country': 'DE',
}

interface Changing<T> {
  readonly row: T
  /** As "Condition 1.2": where the row is. */
  readonly place: string
  readonly onChange: (row: T) => void
  readonly onRemove: (() => void) | null
}

/** One value in each line; empty lines are left out. */
const ListInput = ({
  label,
  values,
  example,
  onChange,
}: {
  label: string
  values: readonly string[]
  example: string | undefined
  onChange: (values: string[]) => void
}) => {
  const [text, setText] = useState(values.join('\n'))
  return (
    <textarea
      aria-label={label}
      className="field min-w-0 flex-1 basis-32 font-mono text-sm"
      rows={Math.min(Math.max(text.split('\n').length, 2), 8)}
      placeholder={example === undefined ? 'One in each line' : `e.g. ${example}\n(one in each line)`}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        const lines = event.target.value.split('\n').filter((it) => it !== '')
        onChange(lines.length === 0 ? [''] : lines)
      }}
    />
  )
}

const ValueInput = ({ row, place, onChange }: Omit<Changing<ConditionRow>, 'onRemove'>) => {
  const { op, values, field } = row
  const label = `Value: ${place}`
  const example = examples[field]
  if (op === 'exists') return null
  if (isList(op))
    return (
      <ListInput label={label} values={values} example={example} onChange={(it) => onChange({ ...row, values: it })} />
    )
  return (
    <input
      aria-label={label}
      className="field min-w-0 flex-1 basis-32 font-mono text-sm"
      spellCheck={false}
      inputMode={field === 'http.body.size' ? 'numeric' : undefined}
      placeholder={example === undefined ? undefined : `e.g. ${example}`}
      value={values[0] ?? ''}
      onChange={(event) => onChange({ ...row, values: [event.target.value] })}
    />
  )
}

const Remove = ({ place, onRemove }: { place: string; onRemove: () => void }) => (
  <button
    type="button"
    className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-soft hover:bg-raised hover:text-danger"
    aria-label={`Remove: ${place}`}
    title="Remove"
    onClick={onRemove}
  >
    <Trash2 size={16} aria-hidden="true" />
  </button>
)

const Condition = ({ row, place, onChange, onRemove }: Changing<ConditionRow>) => (
  <div role="group" aria-label={place} className="flex items-start gap-1">
    <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
      <label className="inline-flex min-h-9 items-center gap-1.5 text-sm">
        <input
          type="checkbox"
          aria-label={`Not: ${place}`}
          checked={row.negated}
          onChange={(event) => onChange({ ...row, negated: event.target.checked })}
        />
        not
      </label>
      <select
        aria-label={`Field: ${place}`}
        className="field !w-auto max-w-full"
        value={row.field}
        onChange={(event) => onChange(withField(row, event.target.value))}
      >
        {builderFields.map((it) => (
          <option key={it} value={it}>
            {fieldNames[it] ?? it}
          </option>
        ))}
      </select>
      {isNamed(row.field) ? (
        <input
          aria-label={`Name: ${place}`}
          className="field !w-36 font-mono text-sm"
          placeholder="name"
          spellCheck={false}
          value={row.name}
          onChange={(event) => onChange({ ...row, name: event.target.value })}
        />
      ) : null}
      <select
        aria-label={`Comparison: ${place}`}
        className="field !w-auto max-w-full"
        value={row.op}
        onChange={(event) => onChange({ ...row, op: event.target.value as Operator })}
      >
        {builderOperators(row.field).map((it) => (
          <option key={it} value={it}>
            {operatorNames[it]}
          </option>
        ))}
      </select>
      {/* Another comparison has another kind of value: its input starts again. */}
      <ValueInput key={isList(row.op) ? 'list' : 'one'} row={row} place={place} onChange={onChange} />
    </div>
    {onRemove === null ? null : <Remove place={place} onRemove={onRemove} />}
  </div>
)

const jointNames = {
  'and ': 'all of these',
  'or ': 'any of these',
  'or not': 'none of these',
  'and not': 'not all of these',
} as const

/** Conditions that are joined: all, any, none or not all of them. */
export const GroupEditor = ({ row, place, onChange, onRemove }: Changing<GroupRow>) => {
  const id = useId()
  const replace = (index: number, changed: BuilderRow) => onChange({ ...row, rows: row.rows.with(index, changed) })
  const add = (more: BuilderRow) => onChange({ ...row, rows: [...row.rows, more] })
  const removal = (index: number) => () => onChange({ ...row, rows: row.rows.toSpliced(index, 1) })
  return (
    <div role="group" aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <div className="flex items-center gap-2">
        <span id={id} className="sr-only">
          {place}
        </span>
        <span className="text-sm text-soft">The request meets</span>
        <select
          aria-label={`Joined by: ${place}`}
          className="field !w-auto min-w-0 font-medium"
          value={`${row.joint} ${row.negated ? 'not' : ''}`}
          onChange={({ target: { value } }) =>
            onChange({ ...row, joint: value.startsWith('and') ? 'and' : 'or', negated: value.endsWith('not') })
          }
        >
          {Object.entries(jointNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        {onRemove === null ? null : <Remove place={place} onRemove={onRemove} />}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5 border-l-2 pl-3">
        {row.rows.map((entry, index) => {
          const inner = { onRemove: row.rows.length > 1 ? removal(index) : null }
          const number = `${place.replace(/^\D+/, '')}${place === 'Whole expression' ? '' : '.'}${index + 1}`
          return entry.kind === 'group' ? (
            <GroupEditor
              key={entry.key}
              {...inner}
              row={entry}
              place={`Group ${number}`}
              onChange={(changed) => replace(index, changed)}
            />
          ) : (
            <Condition
              key={entry.key}
              {...inner}
              row={entry}
              place={`Condition ${number}`}
              onChange={(changed) => replace(index, changed)}
            />
          )
        })}
        <div className="flex flex-wrap gap-2">
          <Button look="quiet" onClick={() => add(newCondition())}>
            <Plus size={15} aria-hidden="true" /> Condition
          </Button>
          <Button look="quiet" onClick={() => add(newGroup(row.joint === 'and' ? 'or' : 'and'))}>
            <Plus size={15} aria-hidden="true" /> Group
          </Button>
        </div>
      </div>
    </div>
  )
}
