import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { person } from './kit.ts'

export const wizardSteps = ['welcome', 'organization', 'summary', 'done'] as const
export type WizardStep = (typeof wizardSteps)[number]

export const FirstTenantRequest = titled(
  'FirstTenantProvisionRequest',
  bodyOf({
    name: Type.String({ description: 'Display name of the organization.' }),
    slug: Type.Optional(orNull(Type.String({ description: 'Derived from the name when omitted or blank.' }))),
    provision_sample_project: Type.Optional(Type.Boolean({ description: 'Add the sample project (best effort).' })),
  }),
)

export const FirstTenantResponse = titled(
  'FirstTenantProvisionResponse',
  Type.Object({
    tenant: Type.Object({
      id: Type.String(),
      slug: Type.String(),
      name: Type.String(),
      plan: orNull(Type.String()),
      created_at: dateTime(),
    }),
    sample_project_id: orNull(Type.String()),
  }),
)
export type FirstTenantResponse = Static<typeof FirstTenantResponse>

export const WizardState = titled(
  'WizardStateResponse',
  Type.Object({
    step: Type.String(),
    org_name: orNull(Type.String()),
    slug: orNull(Type.String()),
    updated_at: orNull(dateTime()),
  }),
)
export type WizardState = Static<typeof WizardState>

/** Steps by which a user with an account creates a tenant. API keys cannot call them. */
export const onboardingApi = {
  firstTenant: endpoint({
    id: 'onboarding.first-tenant',
    origin: 'spec',
    method: 'POST',
    path: '/v1/onboarding/first-tenant',
    summary: 'Create an organization and become its Owner',
    access: person(null),
    body: FirstTenantRequest,
    response: FirstTenantResponse,
    status: 201,
    errors: [
      'organization-name-invalid',
      'tenant-slug-invalid',
      'tenant-slug-taken',
      'tenant-cap-reached',
      'auth-rate-limited',
    ],
  }),
  activate: endpoint({
    id: 'onboarding.membership-activation',
    origin: 'spec',
    method: 'POST',
    path: '/v1/onboarding/membership-activation',
    summary: 'Activate a pending membership',
    description:
      'Needs an account whose email address is verified and an open invitation of that address. Others accept an invitation with its link.',
    access: person(null),
    // Missing and malformed ids are 400 here, so the schema lets both through.
    body: bodyOf({ tenant_id: Type.Optional(Type.Unknown()) }),
    bodyOptional: true,
    describedBody: titled(
      'MembershipActivationRequest',
      bodyOf({
        tenant_id: Type.String({
          description: 'UUID of the organization.',
          examples: ['01980c5e-7a3b-7c21-9d10-4f6a2b8c1e37'],
        }),
      }),
    ),
    response: titled(
      'MembershipActivationResponse',
      Type.Object({ status: oneOf(['activated', 'already-active']), tenant_id: Type.String() }),
    ),
    errors: [
      'tenant-id-invalid',
      'membership-suspended',
      'membership-not-found',
      'email-unverified',
      'auth-rate-limited',
    ],
  }),
  wizard: endpoint({
    id: 'onboarding.wizard-state.get',
    origin: 'spec',
    method: 'GET',
    path: '/v1/onboarding/wizard-state',
    summary: 'Get the saved position of the set-up wizard; 204 if nothing was saved',
    access: person(null),
    response: WizardState,
    mayBeEmpty: true,
    errors: ['auth-rate-limited'],
  }),
  saveWizard: endpoint({
    id: 'onboarding.wizard-state.put',
    origin: 'spec',
    method: 'PUT',
    path: '/v1/onboarding/wizard-state',
    summary: 'Save the position of the set-up wizard',
    access: person(null),
    body: titled(
      'WizardStateUpsertRequest',
      bodyOf({
        // An unknown step is 400 here, so the schema takes any word.
        step: Type.String({ description: `One of ${wizardSteps.join(', ')}.`, examples: [wizardSteps[0]] }),
        org_name: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
        slug: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
        event: Type.Optional(orNull(oneOf(['reached', 'completed', 'abandoned']))),
      }),
    ),
    response: Type.Null(),
    status: 204,
    errors: ['wizard-step-unknown', 'auth-rate-limited'],
  }),
  clearWizard: endpoint({
    id: 'onboarding.wizard-state.delete',
    origin: 'spec',
    method: 'DELETE',
    path: '/v1/onboarding/wizard-state',
    summary: 'Delete the saved position of the set-up wizard',
    access: person(null),
    response: Type.Null(),
    status: 204,
    errors: ['auth-rate-limited'],
  }),
} as const
