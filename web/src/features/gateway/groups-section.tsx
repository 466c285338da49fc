import type { ManagedGroup } from '../../../../src/api/gateway-shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { count } from '../../parts/count.ts'
import { Section } from '../../parts/page.tsx'
import { modeNames, modeTones } from './words.ts'

const GroupRow = ({ it }: { it: ManagedGroup }) => (
  <li className="grid gap-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
    <div className="grid min-w-0 gap-0.5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{it.title}</span>
        <Badge tone={modeTones[it.effective]}>{modeNames[it.effective]}</Badge>
        {it.effective === it.catalogDefault ? null : (
          <span className="text-xs text-soft">default: {modeNames[it.catalogDefault]}</span>
        )}
        {it.hits24h === 0 ? null : (
          <span className="text-xs text-soft">{count(it.hits24h, 'request', 'requests')} in 24 hours</span>
        )}
      </p>
      <p className="text-sm text-soft">
        Finds {it.detects}. {it.because}
      </p>
    </div>
  </li>
)

/** The managed groups with what each does now, and why. */
export const GroupsSection = ({ groups }: { groups: readonly ManagedGroup[] }) => (
  <Section
    title="Managed groups"
    description="Rules of the OWASP Core Rule Set by what they find. The mode is what the policy asks for; whether a gateway does it is said below."
  >
    <ul className="card divide-y" aria-label="Managed groups">
      {groups.map((it) => (
        <GroupRow key={it.id} it={it} />
      ))}
    </ul>
  </Section>
)
