import { Link } from '@tanstack/react-router'
import type { Repository, RepositoryFile } from '../../../../src/api/repository-shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { healthNames, healthTones, kindNames, reasonNames, reasonTitles, refreshNames, refreshTones } from './words.ts'
import { Notice } from '../../parts/states.tsx'
import { Moment } from '../../parts/page.tsx'
import { capitalized } from '../../parts/text.ts'
import { isScanning } from './queries.ts'

/** What is special about a file: its kind, and why it cannot be imported as it is. */
export const FileMarks = ({ of: file }: { of: Pick<RepositoryFile, 'kind' | 'reason' | 'vendored' | 'hidden'> }) => (
  <>
    {file.kind === null ? null : (
      <Badge tone={file.kind === 'asyncapi' ? 'plain' : 'accent'}>{kindNames[file.kind]}</Badge>
    )}
    {file.reason === null ? null : (
      <span title={reasonTitles[file.reason]} className="inline-flex">
        <Badge tone="warn">{reasonNames[file.reason]}</Badge>
      </span>
    )}
    {file.vendored ? <Badge>vendored</Badge> : null}
    {file.hidden ? <Badge>hidden</Badge> : null}
  </>
)

/** The version that a file was imported to, and whether it is up to date. */
export const ImportedTo = ({
  tenant,
  imported,
}: {
  tenant: string
  imported: NonNullable<RepositoryFile['import']>
}) => (
  <span className="inline-flex min-w-0 items-center gap-2 text-sm">
    {imported.project_slug === null || imported.version_label === null ? (
      <span className="text-soft">the version was deleted</span>
    ) : (
      <Link
        to="/t/$tenant/$project/$version"
        params={{ tenant, project: imported.project_slug, version: imported.version_id }}
        className="link inline-block min-h-6 min-w-0 truncate leading-6"
      >
        {imported.project_slug} {imported.version_label}
      </Link>
    )}
    <Badge tone={refreshTones[imported.refresh_status]}>{refreshNames[imported.refresh_status]}</Badge>
  </span>
)

/** The health of a repository; while it is read from its provider it says that instead. */
export const Health = ({ of: repository }: { of: Repository }) =>
  isScanning(repository) ? (
    <Badge tone="info">reading</Badge>
  ) : (
    <Badge tone={healthTones[repository.health.badge]}>{healthNames[repository.health.badge]}</Badge>
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

/** The reasons that another account, or another token of it, would end. */
const ofAccount: ReadonlySet<string> = new Set(
  Object.keys(advice).filter((code) => /^(credentials|reports|account)-/.test(code)),
)

/** Why a repository is not healthy, since when, and what to do about it. */
export const HealthReasons = ({
  tenant,
  of: { health, id },
  onCheck,
  isChecking,
}: {
  tenant: string
  of: Repository
  /** Reads it again; null where the reader may not. */
  onCheck: (() => void) | null
  isChecking: boolean
}) =>
  health.reasons.map(({ code, message, since }) => (
    <Notice
      key={code}
      tone={health.badge === 'failing' ? 'danger' : 'warn'}
      title={capitalized(`${message}.`.replace(/\.\.$/, '.'))}
      actions={
        onCheck === null ? null : (
          <span className="flex flex-wrap gap-2">
            {ofAccount.has(code) || code === 'repository-missing' ? (
              <Link
                to="/t/$tenant/-/repositories/$repository/settings"
                params={{ tenant, repository: id }}
                className={buttonClass()}
              >
                Change account
              </Link>
            ) : null}
            <Button busy={isChecking} onClick={onCheck}>
              Check again
            </Button>
          </span>
        )
      }
    >
      <p>
        {advice[code] ? `${advice[code]} ` : ''}
        Since <Moment at={since} exact />.
      </p>
    </Notice>
  ))
