/** A tool that a model is offered. */
export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly description?: string | undefined;
}

/** What the model answers: words, or a call of a tool. */
export type Reply =
  | { readonly text: string }
  | { readonly id: string; readonly tool: OfferedTool; readonly args: Readonly<Record<string, unknown>> };

type Json = Readonly<Record<string, unknown>>;

/** One way in which agents and models talk to each other. */
export interface Api {
  readonly path: RegExp;
  /** Every tool that a request offers. */
  tools(body: Json): readonly OfferedTool[];
  /** The part of a request that answers a call. */
  resultOf(body: Json, id: string): unknown;
  /** The events of a streamed answer. */
  events(body: Json, reply: Reply): readonly (Json | string)[];
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

/** The content blocks of all messages. */
function blocksOf(messages: unknown, key: string): readonly Json[] {
  return listOf(messages).flatMap((message) => listOf(message[key]));
}

const anthropic: Api = {
  path: /\/messages$/,
  tools: (body) => listOf(body['tools']) as unknown as OfferedTool[],
  resultOf: (body, id) =>
    blocksOf(body['messages'], 'content').find((block) => block['tool_use_id'] === id)?.['content'],
  events({ model }, reply) {
    const isCall = 'tool' in reply;
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
    const block = isCall
      ? { type: 'tool_use', id: reply.id, name: reply.tool.name, input: {} }
      : { type: 'text', text: '' };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) }
      : { type: 'text_delta', text: reply.text };
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
  },
};

const responses: Api = {
  path: /\/responses$/,
  tools: (body) =>
    listOf(body['tools']).flatMap((tool) =>
      tool['type'] === 'namespace'
        ? listOf(tool['tools']).map((one) => ({ ...one, namespace: tool['name'] }) as unknown as OfferedTool)
        : [tool as unknown as OfferedTool],
    ),
  resultOf: (body, id) =>
    listOf(body['input']).find((item) => item['type'] === 'function_call_output' && item['call_id'] === id)?.['output'],
  events({ model }, reply) {
    const item =
      'tool' in reply
        ? {
            type: 'function_call',
            id: `fc_${reply.id}`,
            call_id: reply.id,
            name: reply.tool.name,
            namespace: reply.tool.namespace,
            arguments: JSON.stringify(reply.args),
            status: 'completed',
          }
        : {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: reply.text, annotations: [] }],
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const response = { id: 'resp_1', object: 'response', created_at: 1, model, status: 'completed' };
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, output: [item], usage } },
    ];
  },
};

const chat: Api = {
  path: /\/chat\/completions$/,
  tools: (body) => listOf(body['tools']).map((tool) => tool['function'] as OfferedTool),
  resultOf: (body, id) => listOf(body['messages']).find((message) => message['tool_call_id'] === id)?.['content'],
  events({ model }, reply) {
    const chunk = (delta: Json, reason: string | null) => ({
      id: 'chat_1',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    if (!('tool' in reply)) {
      return [chunk({ role: 'assistant', content: reply.text }, null), chunk({}, 'stop'), '[DONE]'];
    }
    const call = { name: reply.tool.name, arguments: JSON.stringify(reply.args) };
    const calls = [{ index: 0, id: reply.id, type: 'function', function: call }];
    return [chunk({ role: 'assistant', tool_calls: calls }, null), chunk({}, 'tool_calls'), '[DONE]'];
  },
};

const gemini: Api = {
  path: /:streamGenerateContent$/,
  tools: (body) =>
    listOf(body['tools']).flatMap((tool) => listOf(tool['functionDeclarations'])) as unknown as OfferedTool[],
  resultOf(body, id) {
    const answers = blocksOf(body['contents'], 'parts').map((part) => part['functionResponse'] as Json | undefined);
    return answers.find((answer) => answer?.['id'] === id)?.['response'];
  },
  events(_body, reply) {
    const part =
      'tool' in reply
        ? { functionCall: { id: reply.id, name: reply.tool.name, args: reply.args } }
        : { text: reply.text };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return [
      { candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }], usageMetadata },
    ];
  },
};

export const apis: readonly Api[] = [anthropic, responses, chat, gemini];

/** Every piece of text in a value, in order. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
