import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { ChosenFile, type TextFile } from '../../parts/chosen-file.tsx'
import { DropField } from '../../parts/drop-field.tsx'
import { DocumentField } from '../../parts/document-field.tsx'
import { Field } from '../../parts/form.tsx'
import { ProjectPicker } from '../projects/project-picker.tsx'
import { VersionPicker } from '../versions/version-picker.tsx'
import type { Pasted, StoredRef } from './queries.ts'

/** What is known of a side so far: a project may be chosen before its version is. */
export type Choosing = Partial<StoredRef>

/** Project and version of one side. */
export const SidePicker = ({
  tenant,
  legend,
  explained,
  value,
  onChange,
}: {
  tenant: string
  legend: string
  explained: string
  value: Choosing
  onChange: (value: Choosing) => void
}) => (
  <fieldset className="card grid min-w-0 content-start gap-3 p-4">
    <legend className="sr-only">{legend}</legend>
    <p>
      <span className="font-semibold" aria-hidden="true">
        {legend}
      </span>{' '}
      <span className="text-sm text-soft">{explained}</span>
    </p>
    <div className="grid gap-3 sm:grid-cols-2">
      <ProjectPicker
        tenant={tenant}
        label="Project"
        value={value.project ?? ''}
        onChoose={(project) => onChange({ project })}
      />
      <VersionPicker
        tenant={tenant}
        project={value.project ?? ''}
        label="Version"
        value={value.version ?? ''}
        onChoose={(version) => onChange({ ...value, version })}
      />
    </div>
  </fieldset>
)

/** A document that is not stored in the service: dropped as a file, or pasted. */
export const PasteField = ({ value, onCompare }: { value: Pasted | null; onCompare: (pasted: Pasted) => void }) => {
  // What was chosen as a file stays out of the text field: megabytes in it would freeze the page.
  const [file, setFile] = useState<TextFile | null>(value)
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (file) onCompare(file)
        else if (text.trim() !== '') onCompare({ name: name.trim() || 'new version', text })
      }}
    >
      {file ? (
        <ChosenFile file={file} onRemove={() => setFile(null)} />
      ) : (
        <>
          <DropField
            label="Choose a file, or drop it here"
            accept=".yaml,.yml,.json"
            onText={(chosen, content) => {
              setFile({ name: chosen, text: content })
              onCompare({ name: chosen, text: content })
            }}
          />
          <DocumentField
            label="Or paste the document"
            value={text}
            onChange={setText}
            hint="It is compared and not stored. It is not part of the link to this page."
          />
          <Field label="Name (optional)" value={name} onChange={(event) => setName(event.target.value)} />
        </>
      )}
      <div>
        <Button type="submit" look="primary" disabled={file === null && text.trim() === ''}>
          Compare
        </Button>
      </div>
    </form>
  )
}
