import { useState } from 'react'
import type { Destination, Preflight } from './queries.ts'
import { Field, RadioField } from '../../parts/form.tsx'
import { ProjectPicker } from '../catalog/pickers.tsx'

type Place = 'new' | 'other' | `project:${string}`

const reasons = { title: 'Its document has the same title.', source: 'It was imported from the same address.' } as const

interface Known {
  readonly slug: string
  readonly name: string
  readonly detail: string
}

/** The projects worth offering: the one that an import would take, and those that look alike. */
function knownProjects({ plan, similar }: Preflight): readonly Known[] {
  const planned =
    plan !== null && plan.project.action !== 'create'
      ? [{ slug: plan.project.slug, name: plan.project.name, detail: plan.project.slug }]
      : []
  return [
    ...planned,
    ...similar.map((it) => ({ slug: it.slug, name: it.name, detail: `${it.slug}. ${reasons[it.because]}` })),
  ]
}

/** A field whose text is used when it is left or Enter is pressed: each use asks the service again. */
const LateField = ({
  label,
  hint,
  value,
  onUse,
}: {
  label: string
  hint?: string
  value: string
  onUse: (text: string) => void
}) => {
  const [text, setText] = useState(value)
  const use = (): void => {
    if (text.trim() !== value) onUse(text.trim())
  }
  return (
    <Field
      label={label}
      hint={hint}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={use}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        use()
      }}
    />
  )
}

/** Which project and version a document goes to: what the service proposes, and every other choice. */
export const DestinationForm = ({
  tenant,
  first,
  answer,
  chosen,
  onChoose,
}: {
  tenant: string
  /** The answer before anything was chosen: it says which projects are worth offering. */
  first: Preflight
  answer: Preflight
  chosen: Destination
  onChoose: (destination: Destination) => void
}) => {
  const known = knownProjects(first)
  const [asksOther, setAsksOther] = useState(false)
  const planned = first.plan
  const isThere = planned !== null && planned.project.action !== 'create'
  const slug = chosen.project ?? (isThere && chosen.name === null ? planned.project.slug : null)
  const isKnown = slug === null || known.some((it) => it.slug === slug)
  const proposed: Place = slug === null ? 'new' : `project:${slug}`
  const place: Place = asksOther || !isKnown ? 'other' : proposed
  // The service finds a project by its name: a new one needs another than the one that is there.
  const newName = planned === null ? null : `${planned.project.name}${isThere ? ' 2' : ''}`
  const choose = (next: Place): void => {
    setAsksOther(next === 'other')
    if (next === 'new') onChoose({ ...chosen, project: null, name: newName })
    else if (next !== 'other') onChoose({ ...chosen, project: next.slice('project:'.length), name: null })
  }
  return (
    <div className="grid gap-4">
      <RadioField<Place>
        legend="Project"
        value={place}
        onChange={choose}
        options={[
          ...known.map((it) => ({ value: `project:${it.slug}` as const, name: it.name, detail: it.detail })),
          { value: 'new', name: 'A new project' },
          { value: 'other', name: 'Another project' },
        ]}
      />
      {place === 'other' ? (
        <ProjectPicker
          tenant={tenant}
          label="Project"
          value={chosen.project ?? ''}
          onChoose={(project) => onChoose({ ...chosen, project, name: null })}
        />
      ) : null}
      {place === 'new' ? (
        <LateField
          key={`name ${chosen.name ?? answer.plan?.project.name ?? ''}`}
          label="Name of the new project"
          value={chosen.name ?? answer.plan?.project.name ?? ''}
          onUse={(name) => onChoose({ ...chosen, project: null, name: name === '' ? null : name })}
        />
      ) : null}
      <LateField
        key={`label ${chosen.label ?? answer.plan?.version.label ?? ''}`}
        label="Version"
        hint="The version of the document, unless you enter another."
        value={chosen.label ?? answer.plan?.version.label ?? ''}
        onUse={(label) => onChoose({ ...chosen, label: label === '' ? null : label })}
      />
    </div>
  )
}

export type Afterwards = 'draft' | 'private' | 'public'

/** Whether what is imported stays a draft, or who may read it at once. */
export const PublishingChoice = ({ value, onChange }: { value: Afterwards; onChange: (value: Afterwards) => void }) => (
  <RadioField<Afterwards>
    legend="After the import"
    value={value}
    onChange={onChange}
    options={[
      { value: 'draft', name: 'Keep it as a draft', detail: 'It can be edited, reviewed and published later.' },
      { value: 'private', name: 'Publish to the organization', detail: 'If the gates pass.' },
      { value: 'public', name: 'Publish for everyone', detail: 'If the gates pass. Anyone with the link can read it.' },
    ]}
  />
)
