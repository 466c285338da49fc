import type { Static } from '@sinclair/typebox'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { gatewayPositiveApi, type SecurityNarrowing } from '../../../../../src/api/gateway-positive.ts'
import type { SecurityPolicy } from '../../../../../src/api/gateway.ts'
import {
  type PositiveCheck,
  positiveChecks,
  type PositiveMode,
  positiveModes,
} from '../../../../../src/gateway-policy/door.ts'
import { call } from '../../../call.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Window } from '../../../parts/dialog.tsx'
import { Field, RadioField, SelectField, TextField } from '../../../parts/form.tsx'
import { Read } from '../../../parts/listing.tsx'
import { Facts, Section } from '../../../parts/page.tsx'
import { holds, identityQuery } from '../../../session.ts'
import { type EnvironmentAt, environmentInput, keyOf } from '../queries.ts'
import { enforcedNames, enforcedTones, modeNames, modeTones } from '../words.ts'
import { checkNames } from '../setting-words.ts'
import { WriteForm } from '../write-form.tsx'
import { Narrowing } from './narrowing.tsx'

type Shown = Static<typeof gatewayPositiveApi.positive.response>

const positiveQuery = (at: EnvironmentAt) =>
  queryOptions({
    queryKey: keyOf(at.tenant, 'of', at.environment, 'positive'),
    queryFn: () => call(gatewayPositiveApi.positive, environmentInput(at)),
  })

const checkDetails: Readonly<Record<PositiveCheck, string>> = {
  unknownOperation: 'a path of no operation',
  method: 'a path whose document has no such method',
  parameters: 'a parameter that is missing or does not meet its schema',
  undeclaredQuery: 'a query parameter that no operation of the path declares',
  contentType: 'a body of a media type that is not declared',
  body: 'a JSON body that does not meet its schema, or is missing',
  security: 'no credential of a kind that the operation requires',
}
const modeDetails: Readonly<Record<PositiveMode, string>> = {
  block: 'Each check uses its own mode.',
  log: 'No check refuses: each reports at most.',
  off: 'Requests are not compared with a document. The binding is kept.',
}

const firstModes: Readonly<Record<PositiveCheck, PositiveMode>> = {
  unknownOperation: 'block',
  method: 'block',
  parameters: 'block',
  undeclaredQuery: 'log',
  contentType: 'block',
  body: 'block',
  security: 'log',
}

/** The document that defines the allowed requests. */
const DocumentFields = ({
  project,
  version,
  onProject,
  onVersion,
}: {
  project: string
  version: string
  onProject: (project: string) => void
  onVersion: (version: string) => void
}) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field
      label="Project"
      hint="Slug of the project whose document defines the allowed requests."
      required
      spellCheck={false}
      value={project}
      onChange={(event) => onProject(event.target.value)}
    />
    <Field
      label="Version"
      hint="A published label, latest or production."
      required
      spellCheck={false}
      value={version}
      onChange={(event) => onVersion(event.target.value)}
    />
  </div>
)

const CheckFields = ({
  checks,
  onChange,
}: {
  checks: Readonly<Record<PositiveCheck, PositiveMode>>
  onChange: (check: PositiveCheck, mode: PositiveMode) => void
}) => (
  <div className="grid gap-4 sm:grid-cols-2">
    {positiveChecks.map((check) => (
      <SelectField<PositiveMode>
        key={check}
        label={checkNames[check]}
        value={checks[check]}
        options={positiveModes.map((value) => ({ value, name: modeNames[value] }))}
        onChange={(value) => onChange(check, value)}
      />
    ))}
  </div>
)

const PositiveForm = ({ at, of: validation, onClose }: { at: EnvironmentAt; of: Shown; onClose: () => void }) => {
  const { positive } = validation
  const [project, setProject] = useState(validation.projectSlug ?? positive?.projectId ?? '')
  const [version, setVersion] = useState(positive?.version ?? 'production')
  const [mode, setMode] = useState<PositiveMode>(positive?.mode ?? 'log')
  const [checks, setChecks] = useState<Readonly<Record<PositiveCheck, PositiveMode>>>(positive?.checks ?? firstModes)
  const [prefix, setPrefix] = useState(positive?.stripPrefix ?? '')
  const [reason, setReason] = useState('')
  const [narrowing, setNarrowing] = useState<SecurityNarrowing | null>(null)
  return (
    <WriteForm
      at={at}
      version={validation.policyVersion}
      given={JSON.stringify([project, version, mode, checks, prefix, reason])}
      onClose={onClose}
      send={async (controls) => {
        setNarrowing(null)
        const answer = await call(gatewayPositiveApi.setPositive, {
          ...environmentInput(at),
          body: {
            projectId: project.trim(),
            version: version.trim(),
            mode,
            checks,
            stripPrefix: prefix.trim() === '' ? null : prefix.trim(),
            ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
            ...controls,
          },
        })
        setNarrowing(answer.narrowing)
        return answer
      }}
    >
      <DocumentFields project={project} version={version} onProject={setProject} onVersion={setVersion} />
      <RadioField<PositiveMode>
        legend="Mode"
        value={mode}
        options={[...positiveModes]
          .reverse()
          .map((value) => ({ value, name: modeNames[value], detail: modeDetails[value] }))}
        onChange={setMode}
      />
      <CheckFields
        checks={checks}
        onChange={(check, value) => setChecks((before) => ({ ...before, [check]: value }))}
      />
      <Field
        label="Prefix (optional)"
        hint="What paths begin with before those of the document, as /api."
        placeholder="none"
        spellCheck={false}
        value={prefix}
        onChange={(event) => setPrefix(event.target.value)}
      />
      <TextField
        label="Reason (optional)"
        hint="Kept in the audit trail."
        maxLength={1000}
        rows={2}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {narrowing === null ? null : <Narrowing of={narrowing} />}
    </WriteForm>
  )
}

type Enforced = SecurityPolicy['enforces'][number]

const Checks = ({ validation, enforces }: { validation: Shown; enforces: readonly Enforced[] }) => (
  <ul className="card divide-y" aria-label="Checks of the document">
    {positiveChecks.map((check) => {
      const mode = validation.effective?.[check] ?? 'off'
      const state =
        enforces.find(({ setting }) => setting === `positive/${check}` || setting === 'positive')?.state ?? 'unknown'
      return (
        <li key={check} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5">
          <span className="font-medium">{checkNames[check]}</span>
          <Badge tone={modeTones[mode]}>{modeNames[mode]}</Badge>
          {mode === 'off' || state === 'unknown' ? null : (
            <Badge tone={enforcedTones[state]}>{enforcedNames[state]}</Badge>
          )}
          <span className="text-sm text-soft">Finds {checkDetails[check]}.</span>
        </li>
      )
    })}
  </ul>
)

/** Which document requests are compared with, and what each check does. */
export const PositiveSection = ({ at, policy }: { at: EnvironmentAt; policy: SecurityPolicy }) => {
  const shown = useQuery(positiveQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const may = holds(identity.data, at.tenant, 'security:edit')
  return (
    <Section
      title="Requests that the document allows"
      description="Requests are compared with a published document; requests that it does not describe are reported or refused."
      actions={may ? <Button onClick={() => open('positive')}>Change the document …</Button> : null}
    >
      <Read query={shown} what="the binding">
        {(entry) => (
          <>
            {entry.positive === null ? (
              <p className="card px-4 py-3">Requests are not compared with a document.</p>
            ) : (
              <>
                <div className="card px-4 py-3">
                  <Facts
                    facts={[
                      ['Project', entry.projectSlug ?? entry.positive.projectId],
                      [
                        'Version',
                        entry.bound === null || entry.projectSlug === null ? (
                          entry.positive.version
                        ) : (
                          <Link
                            className="link"
                            to="/t/$tenant/$project/$version"
                            params={{ tenant: at.tenant, project: entry.projectSlug, version: entry.bound.label }}
                          >
                            {entry.bound.label === entry.positive.version
                              ? entry.bound.label
                              : `${entry.positive.version} (${entry.bound.label})`}
                          </Link>
                        ),
                      ],
                      ['Operations', entry.bound?.operations.toLocaleString() ?? null],
                      ['Prefix', entry.positive.stripPrefix],
                    ]}
                  />
                  {entry.problem === null ? null : (
                    <p className="pt-2 text-sm text-warn">Nothing is compared at present: {entry.problem}.</p>
                  )}
                </div>
                <Checks validation={entry} enforces={policy.enforces} />
              </>
            )}
            <Window open={dialog === 'positive' && may} onClose={close} title="Requests that the document allows">
              <PositiveForm at={at} of={entry} onClose={close} />
            </Window>
          </>
        )}
      </Read>
    </Section>
  )
}
