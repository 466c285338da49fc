import type { VersionRecord } from '../../../../src/api/versions.ts'
import type { Baseline, BaselineMode } from './queries.ts'
import { type Option, RadioField, SelectField } from '../../parts/form.tsx'

const modes: readonly Option<BaselineMode>[] = [
  { value: 'auto', name: 'The version before it', detail: 'The greatest published version below this one.' },
  { value: 'initial', name: 'Nothing: a first publication', detail: 'It tells of no change.' },
  { value: 'manual', name: 'A version that I choose' },
]

/** Against what the change report of a publication is told. */
export const BaselineField = ({
  value,
  versions,
  onChange,
}: {
  value: Baseline
  /** Those that were published. */
  versions: readonly VersionRecord[]
  onChange: (value: Baseline) => void
}) => (
  <div className="grid gap-3">
    <RadioField
      legend="The change report compares with"
      value={value.mode}
      options={versions.length === 0 ? modes.slice(0, 2) : modes}
      onChange={(mode) =>
        onChange({
          mode,
          revision: mode === 'manual' && value.revision === '' ? (versions[0]?.id ?? '') : value.revision,
        })
      }
    />
    {value.mode === 'manual' ? (
      <SelectField
        label="That version"
        value={value.revision}
        options={versions.map((it) => ({ value: it.id, name: `${it.label} (${it.status})` }))}
        onChange={(revision) => onChange({ ...value, revision })}
      />
    ) : null}
  </div>
)
