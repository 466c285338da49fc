import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ConsumerContractRecord } from '../../../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../../../src/api/consumers.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import { call } from '../../call.ts'
import { type ConsumerRef, refreshConsumers } from './queries.ts'
import { DocumentField } from '../../parts/document-field.tsx'
import { Button } from '../../parts/button.tsx'
import { Window } from '../../parts/dialog.tsx'
import { ChosenFile, DropField, type TextFile } from '../../parts/drop-field.tsx'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { count } from '../../parts/text.ts'
import { UnresolvedList, WarningList } from './unresolved-list.tsx'
import { VersionPicker } from '../catalog/pickers.tsx'

type Imported = Output<typeof consumersApi.importPact>

/** What became of an import or a declaration: how much was found, and what was not. */
export const Outcome = ({ contract }: { contract: ConsumerContractRecord }) => {
  const empty = contract.operations_count === 0
  const look = contract.unresolved_count > 0 ? 'bg-warn-wash text-warn' : 'bg-ok-wash text-ok'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p role="status" className={`rounded-lg px-3 py-2 ${empty ? 'bg-danger-wash text-danger' : look}`}>
        Revision {contract.revision}, against {contract.version_label}:{' '}
        {empty
          ? 'nothing was found, so the contract is empty.'
          : `${count(contract.operations_count, 'operation', 'operations')}, ${count(contract.fields_count, 'field', 'fields')} and ${count(contract.parameters_count, 'parameter', 'parameters')} were found.`}{' '}
        {contract.unresolved_count === 0
          ? 'All items were resolved.'
          : `${count(contract.unresolved_count, 'item', 'items')} could not be resolved.`}
      </p>
      <UnresolvedList items={contract.unresolved} />
      <WarningList items={contract.warnings} />
    </div>
  )
}

const ImportForm = ({
  tenant,
  project,
  consumer,
  onClose,
  onImported,
}: {
  tenant: string
  project: string
  consumer: string | null
  onClose: () => void
  onImported: (imported: Imported) => void
}) => {
  const [file, setFile] = useState<TextFile | null>(null)
  const form = useForm({ pact: '', handle: consumer ?? '', version: 'latest' }, async ({ pact, handle, version }) => {
    const imported = await call(consumersApi.importPact, {
      params: { tenant_slug: tenant, project_ref: project },
      body: { pact, version, consumer_slug: handle === '' ? null : handle },
    })
    onImported(imported)
    await refreshConsumers(tenant)
  })
  return (
    <Form change={form} submit="Import" disabled={form.values.pact.trim() === ''} onCancel={onClose}>
      {file ? (
        <ChosenFile
          file={file}
          onRemove={() => {
            setFile(null)
            form.set({ pact: '' })
          }}
        />
      ) : (
        <>
          <DropField
            label="Choose a Pact file, or drop it here"
            accept=".json"
            onText={(name, text) => {
              setFile({ name, text })
              form.set({ pact: text })
            }}
          />
          <DocumentField
            label="Or paste it"
            hint="Pact 1 to 4. Matching rules, provider states and generators are ignored."
            value={form.values.pact}
            onChange={(pact) => form.set({ pact })}
          />
        </>
      )}
      {consumer === null ? (
        <Field
          label="Handle of the consumer (optional)"
          spellCheck={false}
          hint="Default: the consumer name in the file. A new consumer is registered."
          {...form.bind('handle', 'consumer_slug')}
        />
      ) : null}
      <VersionPicker
        tenant={tenant}
        project={project}
        label="Version it was tested against"
        value={form.values.version}
        onChoose={(version) => form.set({ version })}
      />
    </Form>
  )
}

/** Imports a contract-test file: for the given consumer, or for the one that it names. */
export const PactWindow = ({
  open,
  onClose,
  tenant,
  project,
  consumer,
}: {
  open: boolean
  onClose: () => void
  tenant: string
  project: string
  consumer: ConsumerRef['consumer'] | null
}) => {
  const navigate = useNavigate()
  const [imported, setImported] = useState<Imported | null>(null)
  const done = async (): Promise<void> => {
    const handle = imported?.consumer.handle
    setImported(null)
    if (handle === undefined || handle === consumer) return onClose()
    await navigate({
      to: '/t/$tenant/$project/-/consumers/$consumer',
      params: { tenant, project, consumer: handle },
      replace: true,
    })
  }
  const title = imported !== null ? `Imported for ${imported.consumer.name}` : 'Import a Pact'
  return (
    <Window open={open} onClose={() => (imported === null ? onClose() : void done())} title={title}>
      {imported === null ? (
        <ImportForm tenant={tenant} project={project} consumer={consumer} onClose={onClose} onImported={setImported} />
      ) : (
        <>
          <Outcome contract={imported.contract} />
          <div>
            <Button look="primary" onClick={() => void done()}>
              {consumer === null ? 'Show the consumer' : 'Done'}
            </Button>
          </div>
        </>
      )}
    </Window>
  )
}
