import { useState } from 'react'
import { applicationApi, type ApiKeyRecord } from '../../../src/api/application.ts'
import { call } from '../call.ts'
import { Button } from '../parts/button.tsx'
import { Window } from '../parts/dialog.tsx'
import { Field, fieldError, Form, useChange } from '../parts/form.tsx'
import { presets } from './key-presets.ts'

/** Days until a key ends; null for an empty field: it never does. */
const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const KeyForm = ({
  tenant,
  onClose,
  onMade,
}: {
  tenant: string
  onClose: () => void
  onMade: (record: ApiKeyRecord) => void
}) => {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [preset, setPreset] = useState(presets[0]?.id)
  const [days, setDays] = useState('90')
  const change = useChange(async () => {
    const scopes = presets.find((it) => it.id === preset)?.scopes ?? []
    onMade(
      await call(applicationApi.createKey, {
        params: { tenant_slug: tenant },
        body: { name, description, scopes: [...scopes], expires_in_days: daysOf(days) },
      }),
    )
  })
  return (
    <Form
      onSubmit={() => void change.run()}
      error={change.error}
      actions={
        <>
          <Button type="submit" look="primary" busy={change.busy}>
            Create
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Field
        label="Name"
        required
        maxLength={100}
        hint="Where it will be used, as lists and logs should show it."
        value={name}
        error={fieldError(change.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Description (optional)"
        maxLength={1000}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <fieldset className="grid gap-1.5">
        <legend className="mb-1 text-sm font-medium">What it may do (cannot be changed later)</legend>
        {presets.map((it) => (
          <label key={it.id} className="flex items-baseline gap-2">
            <input type="radio" name="preset" checked={preset === it.id} onChange={() => setPreset(it.id)} />
            <span>
              {it.name} <span className="text-sm text-soft">{it.allows}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        label="Expires after so many days"
        type="number"
        min={1}
        max={3650}
        step={1}
        hint="Leave it empty for a key that never expires."
        value={days}
        error={fieldError(change.error, 'expires_in_days')}
        onChange={(event) => setDays(event.target.value)}
      />
    </Form>
  )
}

export const CreateKey = ({
  open,
  ...rest
}: {
  tenant: string
  open: boolean
  onClose: () => void
  onMade: (record: ApiKeyRecord) => void
}) => (
  <Window open={open} onOpenChange={rest.onClose} title="Create an API key">
    <KeyForm {...rest} />
  </Window>
)
