import { RadioField } from '../../parts/form.tsx'

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
