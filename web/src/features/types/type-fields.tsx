import type { ComponentProps } from 'react'
import { Field, RadioField, TextField } from '../../parts/form.tsx'

type Bound = Pick<ComponentProps<typeof Field>, 'value' | 'error'> & {
  readonly onChange: ComponentProps<typeof Field>['onChange'] & ComponentProps<typeof TextField>['onChange']
}

export type Visibility = 'private' | 'public'

/** What describes a type beside its schema. */
export const TypeFields = ({
  bind,
  visibility,
  onVisibility,
}: {
  bind: (name: 'description' | 'category' | 'tags') => Bound
  visibility: Visibility
  onVisibility: (visibility: Visibility) => void
}) => (
  <>
    <TextField label="Description (optional)" maxLength={10_000} {...bind('description')} />
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Category (optional)" maxLength={100} {...bind('category')} />
      <Field label="Tags (optional)" hint="Separated by commas, 20 at most." {...bind('tags')} />
    </div>
    <RadioField
      legend="Visibility"
      value={visibility}
      options={[
        { value: 'private', name: 'Private', detail: 'Its address needs an API key of the organization.' },
        { value: 'public', name: 'Public', detail: 'Its address answers without credentials.' },
      ]}
      onChange={onVisibility}
    />
  </>
)
