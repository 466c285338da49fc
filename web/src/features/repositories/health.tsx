import { LoaderCircle } from 'lucide-react'
import type { Repository } from '../../../../src/api/repository-shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Moment } from '../../parts/page.tsx'
import { isScanning } from './queries.ts'
import { healthNames, healthTones } from './words.ts'

/** The health of a repository; while it is read from its provider it says that instead. */
export const Health = ({ of: it }: { of: Repository }) =>
  isScanning(it) ? (
    <Badge tone="info">
      <LoaderCircle size={12} aria-hidden="true" className="mr-1 animate-spin" />
      reading
    </Badge>
  ) : (
    <Badge tone={healthTones[it.health.badge]}>{healthNames[it.health.badge]}</Badge>
  )

/** What a person can do about a reason. */
const advice: Readonly<Record<string, string>> = {
  'repository-missing': 'It may have been renamed, moved or deleted. Check it at the provider.',
  'credentials-refused': 'Replace the token of its account, or give the repository another account.',
  unreachable: 'The service tries again automatically.',
  'reports-refused': 'Give the account that permission, or switch reports on pull requests off in the settings.',
  'account-missing': 'Choose the account that reads it in the settings.',
  'account-owner-left': 'Choose another account in the settings.',
  'account-expired': 'Replace the token of its account.',
  'account-revoked': 'Replace the token of its account.',
}

/** Why a repository is not healthy, since when, and what to do. */
export const HealthReasons = ({ of: { health } }: { of: Repository }) =>
  health.reasons.map(({ code, message, since }) => (
    <Notice
      key={code}
      tone={health.badge === 'failing' ? 'danger' : 'warn'}
      title={`${message}.`.replace(/\.\.$/, '.')}
    >
      <p>
        {advice[code] ? `${advice[code]} ` : ''}
        Since <Moment at={since} exact />.
      </p>
    </Notice>
  ))
