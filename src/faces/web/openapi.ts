import { diagnosticSchema } from '../../core/diagnostics.ts';
import { type Json, toJsonSchema } from '../../core/schema/json-schema.ts';
import { anything, type Fields, literal, map, object, type Schema } from '../../core/schema/schema.ts';
import { version } from '../../core/version.ts';
import type { Operation } from '../../engine/operation.ts';
import { activityRowSchema } from '../../engine/operations/machine/activity.ts';
import { doctorOutput } from '../../engine/operations/machine/doctor.ts';
import { findingSchema, scanReportSchema } from '../../engine/operations/running/allow.ts';
import { auditAnswer, auditRowSchema } from '../../engine/operations/running/audit.ts';
import { capabilitySchema } from '../../engine/operations/running/grant.ts';
import { skillToolsSchema } from '../../engine/operations/running/tools.ts';
import { contenderSchema } from '../../engine/operations/skills/why.ts';
import {
  dryRunSchema,
  enforcementSchema,
  executionResultSchema,
  limitsSchema,
  usageSchema,
} from '../../engine/running/types.ts';
import { statusOf } from './answers.ts';
import {
  cancelFields,
  type Exposed,
  fieldsOf,
  isForReaders,
  methodOf,
  type OperationName,
  operationNames,
  operations,
  sessionFields,
} from './operations.ts';
import { type ConsoleMode, errorSchema, liveEventSchema, runEventSchema, sessionSchema } from './shapes.ts';

/** Schemas that are described once and used in several places. */
const components: readonly Schema[] = [
  errorSchema,
  runEventSchema,
  liveEventSchema,
  diagnosticSchema,
  contenderSchema,
  skillToolsSchema,
  capabilitySchema,
  auditRowSchema,
  executionResultSchema,
  dryRunSchema,
  enforcementSchema,
  limitsSchema,
  usageSchema,
  activityRowSchema,
  findingSchema,
  scanReportSchema,
];

/** Answers that differ over the web: no log is followed there, and no sandbox tried out. */
const answers: { readonly [N in OperationName]?: Schema } = {
  audit: auditAnswer,
  doctor: object({ ...doctorOutput.fields, sandboxes: literal(null) }),
};

function described(schema: Schema): Json {
  return toJsonSchema(schema, '#/components/schemas/');
}

/** Describes the console's API as OpenAPI, made from the operations themselves. */
export async function describeApi(mode: ConsoleMode): Promise<Json> {
  const loaded = await Promise.all(
    operationNames.map(async (name) => ({ name, operation: await operations[name].load() })),
  );
  const paths = loaded
    .filter(({ name, operation }) => mode === 'full' || isForReaders(operation, operations[name]))
    .map(({ name, operation }) => [`/api/${name}`, pathOf(name, operation, operations[name])]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Repertoire',
      version: version(),
      description:
        'What the command line and the protocol can do, over HTTP. Send the token of the console or of the server as ' +
        'a bearer token; a signed-in browser has a cookie. Operations that change anything are missing where the console is read-only.',
    },
    security: [{ bearer: [] }, { cookie: [] }],
    paths: { ...Object.fromEntries(paths), ...(await extraPaths(mode)) },
    components: {
      schemas: Object.fromEntries(components.map((one) => [one.name, described(one)])),
      responses: failureResponses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'repertoire-PORT' },
      },
    },
  };
}

function pathOf(name: OperationName, operation: Operation, exposed: Exposed): Json {
  const fields = fieldsOf(operation, exposed);
  const answer = answers[name] ?? operation.output ?? anything();
  const shared = { operationId: name, summary: exposed.summary, responses: responsesOf(answer) };
  if (methodOf(operation, exposed) === 'GET') return { get: { ...shared, parameters: parametersOf(fields) } };
  const post = { ...shared, requestBody: { required: true, content: jsonOf(bodyOf(fields)) } };
  return { post: name === 'run' ? { ...post, responses: responsesOf(answer, lines) } : post };
}

function parametersOf(fields: Fields): readonly Json[] {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    in: 'query',
    description: field.description,
    required: !field.optional && field.default === undefined,
    schema: schemaOf(field),
    ...(field.kind === 'list' && { style: 'form', explode: true }),
  }));
}

function schemaOf(field: Schema): Json {
  const { description: _, ...schema } = toJsonSchema(field);
  return schema;
}

function bodyOf(fields: Fields): Json {
  return toJsonSchema(object(fields));
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } };
}

const failing = [...new Set(Object.values(statusOf))].sort((a, b) => a - b);

/** Responses for failures, which all have one shape and are described once. */
const failureResponses = Object.fromEntries(
  failing.map((status) => [
    `Failure${status}`,
    { description: codesOf(status).join(', '), content: jsonOf({ $ref: '#/components/schemas/Error' }) },
  ]),
);
const failures = Object.fromEntries(
  failing.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
);

function codesOf(status: number): string[] {
  return Object.entries(statusOf).flatMap(([code, own]) => (own === status ? [code] : []));
}

function responsesOf(schema: Schema, more: Json = {}): Json {
  return { 200: { description: 'Success.', content: { ...jsonOf(described(schema)), ...more } }, ...failures };
}

/** Content type of a run's event stream, for clients that ask for lines. */
const lines: Json = { 'application/x-ndjson': { schema: { $ref: '#/components/schemas/RunEvent' } } };

/** Paths that are no operations of their own. */
async function extraPaths(mode: ConsoleMode): Promise<Json> {
  const { picture } = await import('../../engine/operations/skills/read.ts');
  const { download } = await import('../../engine/operations/running/output.ts');
  return {
    '/api/session': {
      get: {
        operationId: 'session',
        summary: 'Whether the caller is signed in, and what the console may do.',
        security: [],
        responses: responsesOf(sessionSchema),
      },
      post: {
        operationId: 'signIn',
        summary: 'Exchange a token for a cookie.',
        security: [],
        requestBody: { required: true, content: jsonOf(bodyOf(sessionFields)) },
        responses: responsesOf(sessionSchema),
      },
    },
    '/api/events': {
      get: {
        operationId: 'events',
        summary: 'Live events: changed skills, grants, executions, activity.',
        responses: {
          200: {
            description: 'Server-sent events, each with JSON as its data.',
            content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/LiveEvent' } } },
          },
          ...failures,
        },
      },
    },
    '/api/file': {
      get: {
        operationId: 'file',
        summary: 'An image file of a skill.',
        parameters: parametersOf(picture.input),
        responses: { 200: { description: 'The image.', content: { 'image/*': {} } }, ...failures },
      },
    },
    ...(mode === 'full' && {
      '/api/cancel': cancelPath,
      '/api/download': {
        get: {
          operationId: 'download',
          summary: 'The output of an execution as a file, or as the picture that it is.',
          parameters: parametersOf(download.input),
          responses: {
            200: { description: 'The bytes.', content: { 'application/octet-stream': {}, 'image/*': {} } },
            ...failures,
          },
        },
      },
    }),
    '/api/openapi.json': {
      get: {
        operationId: 'openapi',
        summary: 'This description.',
        security: [],
        responses: responsesOf(map(anything())),
      },
    },
  };
}

const cancelPath: Json = {
  post: {
    operationId: 'cancel',
    summary: 'Cancel a run, by the key that it was started with.',
    requestBody: { required: true, content: jsonOf(bodyOf(cancelFields)) },
    responses: responsesOf(object({ cancelled: literal(true) })),
  },
};
