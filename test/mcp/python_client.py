"""Connects with the PyPI client `mcp` and prints what it gets as JSON: <url> <bearer or -> <calls as JSON>."""

import asyncio
import json
import sys

from mcp import Client, MCPError
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main(url: str, key: str, calls: list[dict]) -> dict:
    headers = {} if key == "-" else {"authorization": f"Bearer {key}"}
    async with create_mcp_http_client(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tools = await client.list_tools()
            resources = await client.list_resources()
            prompts = await client.list_prompts()
            results = []
            for call in calls:
                # It validates the content of a success against the output schema.
                result = await client.call_tool(call["tool"], call["given"])
                results.append(
                    {
                        "isError": result.is_error,
                        "text": result.content[0].text,
                        "content": result.structured_content,
                    }
                )
            read = await client.read_resource(resources.resources[0].uri)
            return {
                "tools": [tool.name for tool in tools.tools],
                "resources": [str(resource.uri) for resource in resources.resources],
                "prompts": [prompt.name for prompt in prompts.prompts],
                "results": results,
                "read": read.contents[0].text,
            }


if __name__ == "__main__":
    try:
        print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))))
    except* MCPError as refused:
        sys.exit(f"refused: {refused.exceptions}")
