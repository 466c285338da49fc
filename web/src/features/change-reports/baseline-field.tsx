import type { VersionRecord } from '../../../../src/api/versions.ts'
import type { BaselineMode } from '../../../../src/api/baseline-modes.ts'
import type { Baseline } from './queries.ts'
import { type Option, RadioField, SelectField } from '../../parts/form.tsx'

const modes: readonly Option<BaselineMode>[] = [
  { value: 'auto', name: 'Previous version', detail: 'The latest published version before this one.' },
  { value: 'initial', name: 'No baseline (first release)', detail: 'The report lists no changes.' },
  { value: 'manual', name: 'A specific version' },
]

/** The version that the change report of a publication is compared with. */
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
      legend="The release notes compare with"
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
        label="Baseline version"
        value={value.revision}
        options={versions.map((it) => ({ value: it.id, name: `${it.label} (${it.status})` }))}
        onChange={(revision) => onChange({ ...value, revision })}
      />
    ) : null}
  </div>
)
