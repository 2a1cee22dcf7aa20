// As much of the older SDK as is used here, so that types can be checked where it is not installed.
export interface Transport {
  close(): Promise<void>;
}

export declare class Client {
  constructor(info: { name: string; version: string });
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: { name: string; description?: string }[] }>;
  callTool(
    params: { name: string; arguments: object },
    schema?: undefined,
    options?: { onprogress: () => void },
  ): Promise<{ content: unknown; isError?: boolean }>;
  readResource(params: { uri: string }): Promise<{ contents: { uri: string; text?: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  setNotificationHandler(schema: object, handle: () => void): void;
}

export declare class StdioClientTransport implements Transport {
  constructor(server: { command: string; args: string[]; cwd: string; env: Record<string, string>; stderr: 'ignore' });
  close(): Promise<void>;
}

export declare class StreamableHTTPClientTransport implements Transport {
  constructor(url: URL);
  close(): Promise<void>;
}

export declare class SSEClientTransport implements Transport {
  constructor(url: URL);
  close(): Promise<void>;
}

export declare const ToolListChangedNotificationSchema: object;
